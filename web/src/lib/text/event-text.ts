/** The part of an alert's message that its title does not say already. */
export function restOfMessage({ title, message }: { title: string; message: string }): string {
  if (!message.startsWith(title)) return message;
  return message.slice(title.length).replace(/^[.:;,\s]+/, "");
}
