import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** After a change of page, sets the title and moves the focus to the heading, so that screen readers announce it. */
export function usePageFocus(): void {
  const router = useRouter();
  useEffect(() => {
    setTitle();
    // A heading whose text changes, such as the state of an alert, changes the title too.
    const observer = new MutationObserver(setTitle);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    const unsubscribe = router.subscribe("onResolved", ({ pathChanged, fromLocation }) => {
      if (!pathChanged || !fromLocation) return;
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    });
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [router]);
}

function setTitle(): void {
  const heading = document.querySelector("main h1")?.textContent;
  const title = heading ? `${heading} · Tocsin` : "Tocsin";
  if (document.title !== title) document.title = title;
}
