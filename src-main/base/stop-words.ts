/** Words that carry no value of a goal by themselves. */
export const stopWords: ReadonlySet<string> = new Set(
  "a an the my our your his her its their this that these those i me we us you it is are was were be been am do does did have has had will would can could should might must shall of for from to in on at by with about as into and or but so if then than not no up out off over please want need like get us let what when where which who whom whose why how much many long there here also just any some all each".split(
    " ",
  ),
);
