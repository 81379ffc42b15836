/** Defines an own property, also for names such as `__proto__` that a plain assignment treats specially. */
export function setOwn<Value>(into: { [name: string]: Value }, name: string, value: Value): void {
  if (name !== "__proto__") into[name] = value;
  else Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
