/** Hands on what a stream says, line by line; the last one even without its end. Settles when the stream has said all. */
export function eachLine(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): Promise<void> {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/u);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  return new Promise((resolve) => {
    if (stream === null) return resolve();
    stream.on("end", () => {
      if (rest !== "") onLine(rest);
      resolve();
    });
    stream.on("close", resolve);
  });
}
