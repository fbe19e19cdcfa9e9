import { useCallback, useEffect, useState } from "react";
import { erasureWords } from "#contract/conversations/erasure.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { useStores } from "../../store/stores.ts";
import { usePage } from "../../store/use-page.ts";

/** A fact that was taken out and is erased at that hour. */
export interface Forgotten {
  readonly fact: Fact;
  readonly erasedAt: number;
}

export interface Forgetting {
  readonly waiting: readonly Forgotten[];
  letGo(fact: Fact): Promise<void>;
  takeBack(forgotten: Forgotten): Promise<void>;
  erase(forgotten: Forgotten): Promise<void>;
}

/** Facts that were forgotten here and can still be taken back. The host erases them at their hour, whether this page is open or not. */
export function useForgotten(onChanged: () => void): Forgetting {
  const { client } = useStores();
  const say = usePage((state) => state.say);
  const tell = usePage((state) => state.tell);
  const [waiting, setWaiting] = useState<readonly Forgotten[]>([]);
  const drop = useCallback((id: string) => setWaiting((all) => all.filter((one) => one.fact.id !== id)), []);

  useEffect(() => {
    const timers = waiting.map(({ fact, erasedAt }) =>
      setTimeout(
        () => {
          drop(fact.id);
          say("The fact is erased for good.");
        },
        Math.max(0, erasedAt - Date.now()),
      ),
    );
    return () => timers.forEach(clearTimeout);
  }, [waiting, drop, say]);

  return {
    waiting,
    async letGo(fact) {
      const { erasedAt } = await client.memory.letGo({ id: fact.id });
      setWaiting((all) => [...all, { fact, erasedAt }]);
      say("Forgotten. You can take it back for a short while.");
      onChanged();
    },
    async takeBack({ fact }) {
      await client.memory.takeBack({ id: fact.id });
      drop(fact.id);
      say("It is remembered again.");
      onChanged();
    },
    async erase({ fact }) {
      const lines = erasureWords(await client.memory.forget({ id: fact.id }));
      drop(fact.id);
      if (lines.length > 0) tell({ title: "The fact is erased for good", lines });
      else say("The fact is erased for good.");
    },
  };
}
