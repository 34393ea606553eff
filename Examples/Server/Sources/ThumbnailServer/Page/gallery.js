const $ = id => document.getElementById(id);
const { mount, samples, formats, showsMetrics } = await (await fetch("gallery.json")).json();
const address = (options, name) => `${mount}/insecure/${options || "-"}/sample%2F${encodeURIComponent(name)}`;

// The grid: the browser requests the size it needs, and only for images that scroll into view.
const widths = [240, 360, 480, 720, 960];
const thumbnail = (width, name) => address(`resize:${width}x${Math.round(width * 2 / 3)},cover`, name);
for (const name of samples) {
  const picture = Object.assign(new Image(), {
    loading: "lazy", alt: "", width: 240, height: 160, sizes: "15rem",
    srcset: widths.map(width => `${thumbnail(width, name)} ${width}w`).join(", "), src: thumbnail(240, name),
  });
  const label = Object.assign(document.createElement("span"), { textContent: name });
  const button = Object.assign(document.createElement("button"), { type: "button", onclick: () => open(name) });
  button.append(picture, label);
  const item = document.createElement("li");
  item.append(button);
  $("pictures").append(item);
}
$("summary").textContent = `${samples.length} images`;

// The detail view: converts the controls to the options of a path.
const controls = $("controls");
for (const format of formats) controls.format.add(new Option(format));

function options() {
  const value = name => Number(controls[name].value);
  const size = `${value("width")}x${value("height")}`;
  const strength = value("strength") / 100;
  const steps = [{
    thumbnail: `thumbnail:${size}`, cover: `resize:${size},cover`, stretch: `resize:${size},stretch`, smart: `smartCrop:${size}`,
  }[controls.fit.value]];
  const transform = {
    greyscale: "greyscale", roundCorner: `roundCorner:${Math.round(strength * value("width") / 2)}`,
    blur: `blur:${Math.round(strength * 40)}`, sharpen: `sharpen:${(strength * 4).toFixed(2)}`,
    rotate: `rotate:${Math.round(strength * 360)}`, saturation: `adjust:saturation=${(strength * 2).toFixed(2)}`,
    tint: `tint:${Math.round(strength * 255).toString(16).padStart(2, "0")}ff6a3d,sourceAtop`,
  }[controls.transform.value];
  if (transform) steps.push(transform);
  if (controls.format.value) steps.push(`format:${controls.format.value}`);
  steps.push(`quality:${value("quality")}`);
  return steps.join("+");
}

let current, pending, shown;
function open(name) {
  current = name;
  $("detail-title").textContent = name;
  $("detail").showModal();
  update();
}

async function update() {
  for (const input of controls.querySelectorAll("input[type=range]")) input.nextElementSibling.value = input.value;
  pending?.abort();
  const { signal } = pending = new AbortController();
  const url = address(options(), current);
  Object.assign($("link"), { href: url, textContent: url });
  try {
    const start = performance.now();
    // As for an image element: fetch accepts everything, but names nothing.
    const headers = { Accept: "image/avif,image/webp,image/apng,image/*,*/*;q=0.8" };
    const response = await fetch(url, { signal, headers, cache: "no-store" });
    const blob = await response.blob();
    const milliseconds = performance.now() - start;
    if (!response.ok) return trouble((JSON.parse(await blob.text())).detail);
    await show(blob);
    facts({
      Bytes: blob.size.toLocaleString("en"), Type: blob.type, Pixels: `${$("picture").naturalWidth} × ${$("picture").naturalHeight}`,
      Time: `${milliseconds.toFixed(1)} ms`, Cache: response.headers.get("cache-status"),
      ...Object.fromEntries(timings(response.headers.get("server-timing"))),
    });
  } catch (error) {
    if (error.name !== "AbortError") trouble(String(error));
  }
}

async function show(blob) {
  const url = URL.createObjectURL(blob);
  $("picture").src = url;
  await $("picture").decode();
  if (shown) URL.revokeObjectURL(shown);
  shown = url;
  $("picture").alt = `${current}: ${options()}`;
  $("picture").hidden = false;
  $("trouble").hidden = true;
}

function trouble(words) {
  $("picture").hidden = true;
  $("trouble").hidden = false;
  $("trouble").textContent = words;
  facts({});
}

const timings = field => (field ?? "").split(", ").filter(Boolean).map(part => {
  const [name, duration] = part.split(";dur=");
  if (duration) return [`· ${name}`, `${Number(duration).toFixed(2)} ms`];
  const [label, words] = part.split(";desc=");
  return [`· ${label}`, words.replaceAll('"', "")];
});

function facts(values, list = $("facts")) {
  list.replaceChildren(...Object.entries(values).flatMap(([name, value]) => [
    Object.assign(document.createElement("dt"), { textContent: name }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]));
}

let timer;
controls.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(update, 60);
});

// The dashboard uses the same metrics as a monitoring system.
function parse(text) {
  return text.split("\n").filter(line => line && line[0] !== "#").map(line => {
    const [, name, labels = "", value] = line.match(/^([^{ ]+)(?:\{(.*)\})? (.*)$/) ?? [];
    return { name, value: Number(value), labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(match => match.slice(1))) };
  });
}

async function refresh() {
  if (document.hidden) return;
  const metrics = parse(await (await fetch("metrics")).text());
  const of = name => metrics.filter(metric => metric.name === name);
  const sum = list => list.reduce((total, metric) => total + metric.value, 0);
  const requests = of("thumbnails_requests_total");
  const count = (...labels) => sum(requests.filter(metric => labels.includes(metric.labels.cache)));
  const hits = count("hit", "stale"), made = count("miss", "revalidated");
  facts({
    Requests: sum(requests), "From a cache": hits, Made: made, Errors: count("error"),
    "Hit ratio": hits + made ? `${(100 * hits / (hits + made)).toFixed(1)} %` : "–",
    Running: sum(of("thumbnails_running")), Waiting: sum(of("thumbnails_waiting")),
    "In memory": `${(sum(of("thumbnails_cached_bytes")) / 1048576).toFixed(1)} MiB`,
  }, $("figures"));
  histogram(of("thumbnails_duration_seconds_bucket"));
}

function histogram(buckets) {
  const bounds = [...new Set(buckets.map(bucket => bucket.labels.le))];
  const total = (labels, bound) => buckets.filter(bucket => labels.includes(bucket.labels.cache) && bucket.labels.le === bound)
    .reduce((sum, bucket) => sum + bucket.value, 0);
  const series = [["hit", ["hit", "stale"]], ["miss", ["miss", "revalidated"]]].map(([name, labels]) => [
    name, bounds.map((bound, index) => total(labels, bound) - (index ? total(labels, bounds[index - 1]) : 0))]);
  const highest = Math.max(1, ...bounds.map((_, index) => series.reduce((sum, [, values]) => sum + values[index], 0)));
  $("histogram").replaceChildren(...bounds.map((bound, index) => {
    const column = document.createElement("div");
    const seconds = Number(bound);
    const words = Number.isFinite(seconds) ? seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s` : "more";
    column.title = `up to ${words}: ${series.map(([, values]) => values[index]).join(" + ")}`;
    for (const [name, values] of series) {
      const bar = Object.assign(document.createElement("i"), { className: name });
      bar.style.height = `${100 * values[index] / highest}%`;
      column.append(bar);
    }
    if (index % 3 === 0) column.append(Object.assign(document.createElement("small"), { textContent: words }));
    return column;
  }));
}

// A server with a separate address for metrics does not serve them here.
$("dashboard").hidden = !showsMetrics;
if (showsMetrics) {
  const poll = () => refresh().catch(() => {});
  await poll();
  setInterval(poll, 2000);
}
