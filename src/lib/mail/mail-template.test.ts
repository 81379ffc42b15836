import fc from "fast-check";
import { expect, test } from "vitest";
import { mailTemplate } from "./mail-template.ts";

const content = {
  title: "Reset your password",
  paragraphs: ["Someone asked for a new password.", "If it was not you, do nothing."],
  action: { label: "Choose a password", url: "https://app.example.com/reset?token=abc&next=1" },
  footer: "Sent by the service",
};

/** The parts of an HTML document that are markup, values of attributes included. */
const tags = (html: string) => html.match(/<[^>]*>/g) ?? [];

test("the text and HTML parts of a mail have the same content and the full link", () => {
  const { text, html } = mailTemplate(content);
  for (const line of [content.title, ...content.paragraphs, content.action.label, content.footer]) {
    expect(text).toContain(line);
    expect(html).toContain(line);
  }
  expect(text).toContain(`\n${content.action.url}\n`);
  const address = "https://app.example.com/reset?token=abc&#38;next=1";
  expect(html).toContain(`href="${address}"`);
  expect(html).toContain(`>${address}</a>`);
});

test("a mail lists facts under their section, with links", () => {
  const facts = [
    { name: "Contract", value: "<b>\nTreasury", url: "https://example.com/?a=1&b=2" },
    { name: "Block", value: "7", url: null },
  ];
  const { text, html } = mailTemplate({
    title: "Hi",
    paragraphs: ["Bye."],
    sections: [{ title: "Paused", text: "It stopped.", facts }],
  });
  const shown = "Paused\nIt stopped.\nContract: <b> Treasury\n  https://example.com/?a=1&b=2\nBlock: 7";
  expect(text).toBe(`Hi\n\n${shown}\n\nBye.\n`);
  expect(html).toContain(
    '<a href="https://example.com/?a=1&#38;b=2" style="color:inherit">&#60;b&#62; Treasury</a>',
  );
  expect(html.indexOf("It stopped.")).toBeLessThan(html.indexOf("Bye."));
});

test("a mail leaves out parts without content", () => {
  const { text, html } = mailTemplate({ title: "Hello", paragraphs: [] });
  expect(text).toBe("Hello\n");
  expect(html).not.toContain("<a ");
});

test("a mail loads nothing and uses the colours of the mail client", () => {
  const { html } = mailTemplate(content);
  expect(html).not.toMatch(/<(img|script|link|iframe|object|video)|url\(|@import|@font-face|src=/i);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

test("the markup of a mail does not depend on its words", () => {
  const expected = tags(mailTemplate({ ...content, action: { label: "x", url: content.action.url } }).html);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 5, maxLength: 5 }), (words) => {
      const [title = "", first = "", second = "", label = "", footer = ""] = words.map(
        (word) => `x${word}<b>"'&`,
      );
      const action = { label, url: content.action.url };
      expect(tags(mailTemplate({ title, paragraphs: [first, second], action, footer }).html)).toEqual(
        expected,
      );
    }),
  );
});

test("untrusted text in a mail cannot add lines or change the text direction", () => {
  const { text, html } = mailTemplate({
    title: "Hi",
    paragraphs: ["a\r\n\r\nb\u2028c\u202ed\u200be\u0000f"],
  });
  expect(text).toBe("Hi\n\na b cde f\n");
  expect(html).toContain(">a b cde f</p>");
});

test("a mail escapes URLs and links only to http and https", () => {
  const action = { label: "Go", url: 'https://example.com/"><script>alert(1)</script>' };
  expect(mailTemplate({ title: "Hi", paragraphs: [], action }).html).not.toContain("<script");
  for (const url of ["javascript:alert(1)", "data:text/html,x", "nowhere"]) {
    expect(() => mailTemplate({ title: "Hi", paragraphs: [], action: { label: "Go", url } })).toThrow(
      TypeError,
    );
  }
});
