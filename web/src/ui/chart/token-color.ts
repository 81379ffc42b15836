/** The colour of a token as the page shows it now. A canvas knows neither `var()` nor `light-dark()`. */
export function tokenColor(name: string, at: HTMLElement): string {
  const probe = at.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
