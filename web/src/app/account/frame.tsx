import { type ReactNode, useEffect } from "react";
import icon from "@/app/icon.svg";

/** The one card of an account page. */
export function AccountFrame({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Tocsin`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col px-4 pt-[10vh] pb-8">
      <a href="/" className="mb-6 inline-flex items-center gap-2 self-start text-lg font-semibold">
        <img src={icon} alt="" width={28} height={28} />
        Tocsin
      </a>
      <div className="rounded-lg border border-line bg-surface p-6">
        <h1 className="text-xl font-semibold">{title}</h1>
        {lead && <div className="mt-1 text-sm text-muted">{lead}</div>}
        <div className="mt-4 space-y-4">{children}</div>
      </div>
    </main>
  );
}

/** A link in the text of an account page. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="text-accent underline underline-offset-2" href={href}>
      {children}
    </a>
  );
}
