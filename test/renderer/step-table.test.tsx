import "./jsdom-gaps.ts";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { StepTable } from "#renderer/views/chat/step-table.tsx";

afterEach(cleanup);

it("rows that a step read off a page are drawn as a table of plain text", () => {
  const table = { name: "Bills", kind: "table", header: ["Month", "<b>Amount</b>"], rows: [["May", "<img src=https://evil.test/p.png>"]], leftOut: 0 };
  const { container } = render(<StepTable details={{ table }} />);
  const rows = within(screen.getByRole("region", { name: "Rows of Bills" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual(["Month<b>Amount</b>", "May<img src=https://evil.test/p.png>"]);
  expect(container.querySelector("img, b")).toBeNull();
});

it("a step without rows, or with details of another form, draws none", () => {
  for (const table of [undefined, null, "Bills", { name: "Bills", header: [], rows: [] }, { name: "Bills", header: [1], rows: [["a"]] }])
    expect(render(<StepTable details={{ table }} />).container.innerHTML).toBe("");
});
