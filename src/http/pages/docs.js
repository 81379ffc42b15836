// A search field on pages with long lists. Without scripts, the search of the browser does.
const items = [...document.querySelectorAll("main li")];
if (items.length > 20) {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search…";
  field.setAttribute("aria-label", "Search this page");
  document.querySelector("h1").nextElementSibling.after(field);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    // A group without a result is hidden, with its heading and its description.
    for (const list of document.querySelectorAll("main ul")) {
      const isEmpty = [...list.children].every(({ hidden }) => hidden);
      list.hidden = isEmpty;
      for (let before = list.previousElementSibling; before; before = before.previousElementSibling) {
        if (before === field || before.localName === "ul") break;
        before.hidden = isEmpty;
        if (before.localName === "h2") break;
      }
    }
  });
}
