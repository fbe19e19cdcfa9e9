import { armor, Decrypter, Encrypter } from "age-encryption";
import { badInput, KnackError } from "#contract/errors.ts";

/** Work of scrypt in an age file, as a power of two; the format's own tools write 18 and refuse more than about 22. */
const usualWork = 18;
const mostWork = 20;

/** An age file (https://age-encryption.org/v1) that a passphrase opens, in its text form. Any tool that reads age files reads it. */
export async function sealAge(text: string, passphrase: string, work: number = usualWork): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(work);
  return armor.encode(await encrypter.encrypt(text));
}

/** The text in an age file, in its text or its binary form. Throws bad-input for another file, and "vault.not-opened", the same for a wrong passphrase and an altered file. */
export async function openAge(file: Uint8Array, passphrase: string): Promise<string> {
  const binary = bytesOf(file);
  const head = Buffer.from(binary.subarray(0, 400)).toString("latin1");
  if (!head.startsWith("age-encryption.org/v1\n")) throw badInput("This is no age file; expected what knack vault export wrote, or another tool for age");
  const work = /^-> scrypt \S+ (\d{1,3})$/mu.exec(head)?.[1];
  if (work === undefined) throw badInput("This age file is for a key, not for a passphrase; encrypt it with a passphrase (age -p)");
  if (Number(work) > mostWork) throw badInput(`This age file asks for 2^${work} rounds of scrypt; at most 2^${mostWork} are done`);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await decrypter.decrypt(binary));
  } catch {
    throw new KnackError("vault.not-opened", "The file did not open: the passphrase is wrong, or the file was altered.", { exit: 3 });
  }
}

function bytesOf(file: Uint8Array): Uint8Array {
  const text = Buffer.from(file).toString("latin1");
  if (!text.trimStart().startsWith("-----BEGIN AGE ENCRYPTED FILE-----")) return file;
  try {
    return armor.decode(text);
  } catch {
    throw badInput("This age file is damaged: its text form cannot be read");
  }
}
