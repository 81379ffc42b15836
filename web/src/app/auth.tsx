import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AccountPage } from "@/app/account/account-page.tsx";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <AccountPage path={location.pathname.replace(/\/$/, "")} />
    </StrictMode>,
  );
