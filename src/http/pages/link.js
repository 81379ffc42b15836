// The page that links in mails open. The token is in the fragment, so no server and no proxy logs it.
const token = location.hash.slice(1);
const page = location.pathname.split("/").at(-1);
const content = document.getElementById("content");
const status = document.getElementById("status");

const pages = {
  "verify-email": { title: "Confirm your e-mail address", open: verifyEmail },
  "reset-password": { title: "Set a new password", open: resetPassword },
  invite: { title: "Invitation", open: invite },
  "confirm-recipient": { title: "Alerts by e-mail", open: confirmRecipient },
  "approve-signup": { title: "Request for an account", open: approveSignup },
};

const found = Object.hasOwn(pages, page) ? pages[page] : undefined;
document.getElementById("title").textContent = found?.title ?? "Not found";
showStatus(found && token ? "" : "This link is incomplete. Open it again from the mail.");
if (found && token) found.open();

function verifyEmail() {
  button("Confirm address", async () => {
    await call("GET", `/auth/verify-email?token=${encodeURIComponent(token)}`);
    done("Your address is confirmed.");
  });
}

async function confirmRecipient() {
  const path = `/channel-recipients/${encodeURIComponent(token)}`;
  const preview = await showErrors(() => call("GET", path));
  if (!preview) return;
  facts({ Organisation: preview.org_name, Address: preview.email });
  const outcome = `Alerts of ${preview.org_name} are sent to ${preview.email}.`;
  if (preview.is_confirmed) return showStatus(outcome);
  button("Receive alerts", async () => {
    await call("POST", `${path}/confirm`);
    done(outcome);
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
    done("Your new password is set. All sessions were ended.");
  });
}

async function invite() {
  const preview = await showErrors(() => call("GET", `/invites/${encodeURIComponent(token)}`));
  if (!preview) return;
  facts({ Organisation: preview.org_name, From: preview.invited_by, For: preview.email, Role: preview.role });
  if (preview.status !== "pending") return showStatus(`This invitation is ${preview.status}.`);
  button("Accept", async () => {
    await call("POST", `/invites/${encodeURIComponent(token)}/accept`);
    done(`You are now a member of ${preview.org_name}.`);
  });
}

async function approveSignup() {
  const preview = await showErrors(() => call("GET", `/signup-approvals/${encodeURIComponent(token)}`));
  if (!preview) return;
  facts({
    Name: preview.name,
    Address: preview.email,
    Organisation: preview.org_name,
    Requested: new Date(preview.requested_at).toLocaleString(undefined, {
      dateStyle: "medium",
      timeStyle: "short",
    }),
  });
  button("Approve", async () => {
    await call("POST", `/signup-approvals/${encodeURIComponent(token)}/approve`);
    done("Approved. The applicant is notified by mail.");
  });
}

async function call(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const reply = response.status === 204 ? undefined : await response.json();
  if (response.ok) return reply;
  if (response.status === 401) throw new Error("Log in first, then open this link again.");
  throw new Error(
    Array.isArray(reply.detail) ? reply.detail.map((issue) => issue.msg).join(" ") : reply.detail,
  );
}

async function showErrors(work) {
  try {
    return await work();
  } catch (error) {
    showStatus(error.message);
  }
}

/** Adds the submit button of the form. */
function button(label, work) {
  const element = document.createElement("button");
  element.textContent = label;
  content.addEventListener("submit", async (event) => {
    event.preventDefault();
    element.disabled = true;
    showStatus("");
    await showErrors(work);
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
  showStatus(text);
}

function showStatus(text) {
  status.textContent = text;
}
