import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { chooseChannel } from "./client/choose-channel.ts";
import { connect } from "./client/connection.ts";
import { completeOldChromium } from "./client/old-chromium.ts";
import { createStores, StoresContext } from "./store/stores.ts";
import "./styles/tokens.css";
import "./styles/base.css";

completeOldChromium();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const stores = createStores(connect(chooseChannel(window)), window);
createRoot(root).render(
  <StrictMode>
    <StoresContext value={stores}>
      <App />
    </StoresContext>
  </StrictMode>,
);
