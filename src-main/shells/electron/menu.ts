import { Menu, type MenuItemConstructorOptions } from "electron";

/** What every desktop app has; commands of Knack itself are actions of the page. */
export function appMenu(platform: NodeJS.Platform, isPackaged: boolean): Menu {
  const view: MenuItemConstructorOptions[] = [
    { role: "reload" },
    { type: "separator" },
    { role: "resetZoom" },
    { role: "zoomIn" },
    { role: "zoomOut" },
    { type: "separator" },
    { role: "togglefullscreen" },
  ];
  return Menu.buildFromTemplate([
    ...(platform === "darwin" ? [{ role: "appMenu" } as const] : [{ label: "&File", submenu: [{ role: "quit" }] } satisfies MenuItemConstructorOptions]),
    { role: "editMenu" },
    { label: "&View", submenu: isPackaged ? view : [...view, { type: "separator" }, { role: "toggleDevTools" }] },
    { role: "windowMenu" },
  ]);
}
