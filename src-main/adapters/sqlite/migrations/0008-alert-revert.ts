/** The revision a drift alert offers to go back to (SPEC 3.5), and what a ledger row says beside its hashes: revision numbers, and the row it takes back. */
export const sql = `
ALTER TABLE alerts ADD COLUMN revert_to INTEGER;
ALTER TABLE ledger ADD COLUMN before_revision INTEGER;
ALTER TABLE ledger ADD COLUMN after_revision INTEGER;
ALTER TABLE ledger ADD COLUMN undoes TEXT;
`;
