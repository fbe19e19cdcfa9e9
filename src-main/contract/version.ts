/** Raised when a route or an event changes in a way an older page would misread; page and host compare it before anything else. */
export const PROTOCOL_VERSION = 1;
