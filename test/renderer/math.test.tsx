import "./jsdom-gaps.ts";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Markdown } from "#renderer/components/markdown.tsx";
import { mathText } from "#renderer/components/math-text.ts";

afterEach(cleanup);

describe("a formula", () => {
  it.each([
    ["Take $x^2$ here", "Take $$x^2$$ here"],
    ["Take \\(x\\) and \\[y\\]", "Take $$x$$ and $$y$$"],
    ["\\[\na = b\n\\]", "$$\na = b\n$$"],
  ])("is found in %j", (text, drawn) => {
    expect(mathText(text)).toEqual({ text: drawn, hasMath: true });
  });

  it.each(["It costs $5 and then $10 more", "from $5 to $10", "`$x$` and ```\n$y$\n```", "US$ 5 or A$7", "escaped \\$x\\$", "a [link](x) (y)"])(
    "is none in %j",
    (text) => {
      expect(mathText(text)).toEqual({ text, hasMath: false });
    },
  );

  it("is drawn once its part of the page is here, and links to nothing", async () => {
    render(<Markdown text={"So $x^2$ and $\\href{https://elsewhere.example}{y}$"} />);
    await waitFor(() => expect(document.querySelectorAll(".katex").length).toBeGreaterThan(0), { timeout: 10_000 });
    expect(document.querySelector("a")).toBeNull();
  });
});

describe("a block of code", () => {
  it("is copied exactly, and says so", async () => {
    const writeText = vi.fn(async () => undefined);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    render(<Markdown text={"```py\nprint(1)\n  x\n```"} />);
    await act(async () => {
      fireEvent.click(screen.getByRole("button", { name: "Copy this py" }));
    });
    expect(writeText).toHaveBeenCalledWith("print(1)\n  x");
    expect(screen.getByText("Copied")).toBeTruthy();
  });
});
