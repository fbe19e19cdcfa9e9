import { usePage } from "../../store/use-page.ts";
import { SkillDetailView } from "./skill-detail-view.tsx";
import { SkillListView } from "./skill-list-view.tsx";

export function SkillsView() {
  const name = usePage((state) => state.route.item);
  return name === null ? <SkillListView /> : <SkillDetailView key={name} name={name} />;
}
