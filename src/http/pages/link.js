// What the links in mails open. The token stands in the fragment, so no server and no proxy logs it.
const token = location.hash.slice(1);
const page = location.pathname.split("/").at(-1);
const content = document.getElementById("content");
const status = document.getElementById("status");

const pages = {
  "verify-email": { title: "Confirm your e-mail address", open: verifyEmail },
  "reset-password": { title: "Set a new password", open: resetPassword },
  invite: { title: "Invitation", open: invite },
  "approve-signup": { title: "Request for an account", open: approveSignup },
};

const found = Object.hasOwn(pages, page) ? pages[page] : undefined;
document.getElementById("title").textContent = found?.title ?? "Not found";
say(found && token ? "" : "This link is not complete. Open it again from the mail.");
if (found && token) found.open();

function verifyEmail() {
  button("Confirm address", async () => {
    await call("GET", `/auth/verify-email?token=${encodeURIComponent(token)}`);
    done("Your address is confirmed.");
  });
}

function resetPassword() {
  const label = document.createElement("label");
  label.htmlFor = "password";
  label.textContent = "New password, at least 12 characters";
  const input = document.createElement("input");
  Object.assign(input, { id: "password", type: "password", autocomplete: "new-password" });
  content.append(label, input);
  button("Set password", async () => {
    await call("POST", "/auth/reset-password", { token, new_password: input.value });
    done("Your new password is set. Every other session was ended.");
  });
}

async function invite() {
  const preview = await tell(() => call("GET", `/invites/${encodeURIComponent(token)}`));
  if (!preview) return;
  facts({ Organisation: preview.org_name, From: preview.invited_by, For: preview.email, Role: preview.role });
  if (preview.status !== "pending") return say(`This invitation is ${preview.status}.`);
  button("Accept", async () => {
    await call("POST", `/invites/${encodeURIComponent(token)}/accept`);
    done(`You are a member of ${preview.org_name} now.`);
  });
}

async function approveSignup() {
  const preview = await tell(() => call("GET", `/signup-approvals/${encodeURIComponent(token)}`));
  if (!preview) return;
  facts({
    Name: preview.name,
    Address: preview.email,
    Organisation: preview.org_name,
    Asked: new Date(preview.requested_at).toLocaleString(undefined, {
      dateStyle: "medium",
      timeStyle: "short",
    }),
  });
  button("Approve", async () => {
    await call("POST", `/signup-approvals/${encodeURIComponent(token)}/approve`);
    done("Approved. They were told by mail.");
  });
}

async function call(method, path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const reply = answer.status === 204 ? undefined : await answer.json();
  if (answer.ok) return reply;
  if (answer.status === 401) throw new Error("Log in first, then open this link again.");
  throw new Error(
    Array.isArray(reply.detail) ? reply.detail.map((issue) => issue.msg).join(" ") : reply.detail,
  );
}

async function tell(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message);
  }
}

/** One button, pressed with the mouse or by Enter in a field. */
function button(label, work) {
  const element = document.createElement("button");
  element.textContent = label;
  content.addEventListener("submit", async (event) => {
    event.preventDefault();
    element.disabled = true;
    say("");
    await tell(work);
    element.disabled = false;
  });
  content.append(element);
}

function facts(rows) {
  const list = document.createElement("dl");
  for (const [name, value] of Object.entries(rows)) {
    const term = document.createElement("dt");
    term.textContent = name;
    const definition = document.createElement("dd");
    definition.textContent = value;
    list.append(term, definition);
  }
  content.append(list);
}

function done(text) {
  content.replaceChildren();
  say(text);
}

function say(text) {
  status.textContent = text;
}
