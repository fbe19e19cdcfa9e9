import { usePage } from "../../store/use-page.ts";
import { SkillDetailView } from "./skill-detail-view.tsx";
import { SkillListView } from "./skill-list-view.tsx";

export function SkillsView() {
  const { item, part } = usePage((state) => state.route);
  return item === null ? <SkillListView /> : <SkillDetailView key={item} name={item} soughtId={part} />;
}
