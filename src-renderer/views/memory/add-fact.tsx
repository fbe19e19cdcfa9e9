import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import list from "../list-view.module.css";

/** One thing to remember; which group it belongs to is told from what it says, and can be changed afterwards. */
export function AddFact({ isOn, onAdded }: { readonly isOn: boolean; readonly onAdded: () => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  const [text, setText] = useState("");
  const [told, setTold] = useState("");
  const attempt = useAttempt();
  const mayAdd = isOn && isConnected && !attempt.isBusy && text.trim() !== "";
  return (
    <form
      className={list.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!mayAdd) return;
        void attempt.run(async () => {
          const { became, before } = await client.memory.add({ text: text.trim() });
          const words = became === "known" ? "That was known already." : before === null ? "" : `It takes the place of “${before}”.`;
          setTold(words);
          say(words === "" ? "Remembered." : words);
          setText("");
          onAdded();
        });
      }}
    >
      <TextField
        label="Remember that …"
        value={text}
        onChange={(value) => {
          setText(value);
          setTold("");
          if (attempt.problem !== null) attempt.clear();
        }}
        placeholder="I prefer invoices as PDF"
        problem={attempt.problem}
        isDisabled={!isOn}
        {...(told === "" ? {} : { help: told })}
      />
      <Button type="submit" icon={Plus} isDisabled={!mayAdd}>
        Add
      </Button>
    </form>
  );
}
