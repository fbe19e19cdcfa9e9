/** Hands a text to the user as a file, the way this page's shell saves files. */
export function saveText(fileName: string, text: string, type = "text/markdown"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
