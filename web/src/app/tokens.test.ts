import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Color = [lightness: number, chroma: number, hue: number];
type Rgb = [number, number, number];
const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const number = String.raw`([\d.]+)`;
const oklch = `oklch\\(${number} ${number} ${number}\\)`;

/** The colour of a token in one theme. */
function token(name: string, theme: "light" | "dark"): Color {
  const found = new RegExp(`--${name}: light-dark\\(${oklch}, ${oklch}\\)`).exec(css);
  if (!found) throw new Error(`there is no token --${name}`);
  return found
    .slice(theme === "light" ? 1 : 4)
    .slice(0, 3)
    .map(Number) as Color;
}

function toLinear([lightness, chroma, hue]: Color): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.39634 * a + 0.2158 * b) ** 3;
  const m = (lightness - 0.10556 * a - 0.06385 * b) ** 3;
  const s = (lightness - 0.08948 * a - 1.29149 * b) ** 3;
  const rgb = [
    4.07674 * l - 3.30771 * m + 0.23097 * s,
    -1.26844 * l + 2.60976 * m - 0.34132 * s,
    -0.0042 * l - 0.70342 * m + 1.70761 * s,
  ];
  return rgb.map((value) => Math.min(1, Math.max(0, value))) as Rgb;
}

function contrast(x: Color, y: Color): number {
  const luminance = (color: Color) => {
    const [r, g, b] = toLinear(color);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [luminance(x), luminance(y)].sort((p, q) => q - p);
  return (high + 0.05) / (low + 0.05);
}

/** How people without one kind of cone see a colour (Machado, 2009), in OKLab. */
const visions: Record<string, Rgb[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367, 0.861, -0.228],
    [0.28, 0.673, 0.047],
    [-0.012, 0.043, 0.969],
  ],
  protanopia: [
    [0.152, 1.053, -0.205],
    [0.115, 0.786, 0.099],
    [-0.004, -0.048, 1.052],
  ],
};

function seen(color: Color, vision: string): Rgb {
  const rgb = toLinear(color);
  const times = (row: Rgb) => Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]));
  const [r = 0, g = 0, b = 0] = (visions[vision] ?? []).map(times);
  const l = Math.cbrt(0.41222 * r + 0.53633 * g + 0.05145 * b);
  const m = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b);
  const s = Math.cbrt(0.0883 * r + 0.28172 * g + 0.62998 * b);
  return [
    0.21045 * l + 0.79362 * m - 0.00407 * s,
    1.978 * l - 2.42859 * m + 0.45059 * s,
    0.0259 * l + 0.78277 * m - 0.80868 * s,
  ];
}

const themes = ["light", "dark"] as const;
const severities = ["ok", "info", "warning", "critical"];

test.each(themes)("every text colour is legible on every background in the %s theme", (theme) => {
  for (const text of ["text", "text-muted", "accent", ...severities])
    for (const ground of ["bg", "surface", "raised"])
      expect([text, ground, contrast(token(text, theme), token(ground, theme)) >= 4.5]).toEqual([
        text,
        ground,
        true,
      ]);
  for (const severity of severities)
    expect([severity, contrast(token(severity, theme), token(`${severity}-bg`, theme)) >= 4.5]).toEqual([
      severity,
      true,
    ]);
  expect(contrast(token("on-accent", theme), token("accent", theme))).toBeGreaterThan(4.5);
  expect(contrast(token("on-critical", theme), token("critical", theme))).toBeGreaterThan(4.5);
});

test.each(themes)("the edges of controls and the focus ring can be seen in the %s theme", (theme) => {
  for (const edge of ["line-strong", "ring"])
    for (const ground of ["bg", "surface", "raised"])
      expect([edge, ground, contrast(token(edge, theme), token(ground, theme)) >= 3]).toEqual([
        edge,
        ground,
        true,
      ]);
});

test.each(themes.flatMap((theme) => Object.keys(visions).map((vision) => [theme, vision] as const)))(
  "severities differ in the %s theme with %s vision",
  (theme, vision) => {
    for (const [index, one] of severities.entries())
      for (const other of severities.slice(index + 1)) {
        const [x, y] = [seen(token(one, theme), vision), seen(token(other, theme), vision)];
        const distance = 100 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
        expect([one, other, distance >= 9]).toEqual([one, other, true]);
      }
  },
);
