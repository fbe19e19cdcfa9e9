import { Search, X } from "lucide-react";
import { Button, Input, SearchField } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./search-box.module.css";

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <SearchField className={classNames(styles.box)} aria-label={label} value={value} onChange={onChange}>
      <Search aria-hidden size={15} />
      <Input className={classNames(styles.input)} placeholder={label} />
      {value === "" ? null : (
        <Button className={classNames(styles.clear)} aria-label="Clear the search">
          <X aria-hidden size={15} />
        </Button>
      )}
    </SearchField>
  );
}
