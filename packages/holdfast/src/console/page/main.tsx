import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app.tsx";
import { startLive } from "./live.ts";

const place = document.getElementById("app");
if (place !== null) render(<App />, place);
startLive();
