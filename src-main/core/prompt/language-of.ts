import { words } from "#base/text.ts";

/** Words that hold sentences together, of languages a person may write in; each stands in one of the lists alone. */
const marks: Readonly<Record<string, ReadonlySet<string>>> = {
  English: new Set(
    "the and is are my your you what where when how who do does can could please of to in it that this for with me have has not i'm hello hi thanks".split(" "),
  ),
  German: new Set(
    "der das und ist nicht ich du wie wer wann warum mein meine meinen dein deine bitte kannst können für auf dem den eine einen wird wurde habe hast heißt heiße wohne hallo danke guten weißt welche übrigens mir mich sie wir".split(
      " ",
    ),
  ),
  French: new Set(
    "le les est et je vous nous mon ma mes votre ton pour dans avec où quand comment pourquoi quel quelle bonjour merci s'il plaît suis avez peux pouvez c'est qu'est j'ai une".split(
      " ",
    ),
  ),
  Spanish: new Set(
    "el los y es yo usted mi tu dónde cuándo cómo qué quién por para con hola gracias puedes puede soy vivo estoy está una tengo tiene cuál favor".split(" "),
  ),
  Italian: new Set(
    "il gli è e sono io mio mia tuo dove quando come perché chi ciao grazie puoi può per favore con che della nel ho hai qual buongiorno".split(" "),
  ),
  Portuguese: new Set("o os é eu você meu minha seu onde quando como quem por favor olá obrigado obrigada pode com uma não em moro qual são".split(" ")),
  Dutch: new Set(
    "de het en een ik jij je mijn jouw waar wanneer hoe waarom wie hallo dank bedankt kun kunt niet voor met woon ben heet wat alstublieft".split(" "),
  ),
};

/** Letters that the language is written with and English is not. */
const letters: Readonly<Record<string, RegExp>> = { German: /[äöüß]/u, French: /[éèêçàùœ]/u, Spanish: /[ñ¿¡]/u, Portuguese: /[ãõ]/u };

/**
 * The language a message is written in, by its English name; null for English, and where it cannot be told: a word or two may be a name. Pure.
 */
export function languageOf(text: string): string | null {
  const said = words(text);
  if (said.length === 0) return null;
  const count = (language: string): number => {
    const known = marks[language];
    const own = said.filter((word) => known?.has(word)).length;
    return own + (own > 0 && letters[language]?.test(text.toLowerCase()) ? 0.5 : 0);
  };
  const ranked = Object.keys(marks)
    .map((language) => ({ language, count: count(language) }))
    .toSorted((a, b) => b.count - a.count);
  const [first, second] = ranked;
  if (first === undefined || second === undefined || first.language === "English" || first.count === second.count) return null;
  // Of a short message one such word is half of it; in a long one it may be a name, a title or a word of a page.
  return first.count >= Math.max(1, Math.min(2, said.length / 3)) ? first.language : null;
}
