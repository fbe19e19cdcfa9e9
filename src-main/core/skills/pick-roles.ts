/** Roles of which one out of a group is picked by pressing it: which one is a value, not another routine. */
export function isChoiceRole(role: string): boolean {
  return role === "radio" || role === "option" || role === "menuitemradio";
}

/** Roles that are set and taken back by pressing them. */
export function isMarkRole(role: string): boolean {
  return role === "checkbox" || role === "switch" || role === "menuitemcheckbox";
}
