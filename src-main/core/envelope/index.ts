export { addressesOf, capabilitiesOf, destinationsOf, primitiveOf, toolName, vaultEntryOf } from "./capability.ts";
export { type Command, commandLineOf, isShell, parseCommand, programName } from "./command.ts";
export { type Coverage, covers, declaresOrigin, intersect } from "./covers.ts";
export {
  type AddressKind,
  type Cover,
  covers as coversAddress,
  coversPlace,
  type DestinationRefusal,
  type GrantReading,
  hostMatches,
  isAddressLiteral,
  type Place,
  type PlaceRefusal,
  parseDestination,
  parsePlace,
  type RefusedPlace,
  type Use,
} from "./destination.ts";
export { type Envelope, envelopeOf, mayNavigate } from "./envelope.ts";
export { type Origin, originMatches, originText, parseDeclaredOrigin, parseOrigin } from "./origin.ts";
export { isWithin, programFamilyOf, staysInside } from "./program-family.ts";
