import { useEffect, useState } from "react";

/** Waits before it shows anything, so that fast pages do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return <div aria-busy="true" className="min-h-40" />;
  return (
    <div role="status" aria-label="Loading" className="space-y-3">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <div key={index} className="h-9 rounded bg-raised" />
      ))}
    </div>
  );
}
