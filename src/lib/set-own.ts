/** Gives an object a property of its own, even of a name like `__proto__`, which a plain assignment would take for something else. */
export function setOwn<Value>(into: { [name: string]: Value }, name: string, value: Value): void {
  if (name !== "__proto__") into[name] = value;
  else Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
