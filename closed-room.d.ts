// A room's tsconfig leads the names of the rooms it may not see to here. This file is no module, so importing it is an error.
