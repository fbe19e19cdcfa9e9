import "./jsdom-gaps.ts";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Markdown } from "#renderer/components/markdown.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("text of a model", () => {
  it("never makes a picture, whatever its address", () => {
    const { container } = render(
      <Markdown text={"![a](https://x.example/p.png) ![b](data:image/png;base64,AA) ![c](/local.png) <img src='https://x.example/q.png'>"} />,
    );
    expect(container.querySelector("img, picture, svg image, video, iframe")).toBeNull();
  });

  it("opens a link only after its whole address was shown and confirmed", async () => {
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    const { container } = render(<Markdown text="[my bank](https://evil.example/login?x=1)" />);
    expect(container.querySelector("a")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Link: https://evil.example/login?x=1" }));
    expect(open).not.toHaveBeenCalled();
    expect(screen.getByText("https://evil.example/login?x=1")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(open).toHaveBeenCalledWith("https://evil.example/login?x=1", "_blank", "noopener,noreferrer");
  });

  it("makes no link of an address that runs code", () => {
    render(<Markdown text={"[go](javascript:alert(1)) [file](file:///etc/passwd) [data](data:text/html,x)"} />);
    expect(screen.queryAllByRole("button")).toEqual([]);
  });
});
