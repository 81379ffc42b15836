import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ImportResult } from "@/features/imports/import-result.tsx";
import { ApiError, api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { ApiCall } from "@/ui/api-call.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Field, TextArea } from "@/ui/form/field.tsx";
import { Page } from "@/ui/page.tsx";
import { toast } from "@/ui/toast.tsx";

const example =
  "chain,address,label,labels,targets\nethereum,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,USDC,treasury;team:core,tx_rate";

/** Adds many contracts from CSV. A dry run comes first, so that nothing surprises. */
export function ImportsPage() {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const [csv, setCsv] = useState("");
  const run = useMutation({
    mutationFn: (dry_run: boolean) =>
      data(api.POST("/api/v1/contracts/bulk-import", { params: { query: { dry_run } }, body: { csv } })),
    onSuccess: async ({ dry_run, imported }) => {
      if (dry_run) return;
      toast.done(
        `${imported} ${imported === 1 ? "contract is" : "contracts are"} monitored from the next block.`,
      );
      await client.invalidateQueries({ queryKey: keys(org).contracts });
    },
  });
  const problem = run.error instanceof ApiError ? run.error.fields.csv : undefined;
  const change = (text: string) => {
    setCsv(text);
    run.reset();
  };
  /** How many contracts the import would add, once a dry run has shown it. */
  const importable = run.data?.dry_run ? run.data.imported : 0;
  return (
    <Page title="Import contracts" lead="Add many contracts at once from a spreadsheet saved as CSV.">
      <div className="space-y-4">
        <Card title="CSV">
          <div className="space-y-4">
            <p className="text-sm text-muted">
              The first row names the columns: <code>chain</code> and <code>address</code>, and if you like{" "}
              <code>label</code> (the name), <code>labels</code> and <code>targets</code>. Separate several
              labels or targets in one cell by a semicolon.
            </p>
            <Field label="File (optional)">
              {(wiring) => (
                <input
                  {...wiring}
                  type="file"
                  accept=".csv,text/csv"
                  className="block w-full text-sm file:mr-3 file:h-8 file:rounded file:border file:border-solid file:border-line-strong file:bg-surface file:px-3 file:text-sm touch:file:h-11"
                  onChange={({ target }) => void target.files?.[0]?.text().then(change)}
                />
              )}
            </Field>
            <TextArea
              label="Rows"
              rows={8}
              className="font-mono"
              value={csv}
              onChange={({ target }) => change(target.value)}
              error={problem}
              placeholder={example}
              spellCheck={false}
            />
            {run.error && !problem && <ErrorText error={run.error} />}
            <div className="flex flex-wrap gap-2">
              <Button
                look={importable > 0 ? "secondary" : "primary"}
                disabled={!mayEdit || csv.trim() === ""}
                isBusy={run.isPending}
                onClick={() => run.mutate(true)}
              >
                Check without importing
              </Button>
              {importable > 0 && (
                <Button look="primary" isBusy={run.isPending} onClick={() => run.mutate(false)}>
                  Import {importable} {importable === 1 ? "contract" : "contracts"}
                </Button>
              )}
            </div>
          </div>
        </Card>
        {run.data && (
          <Card title={run.data.dry_run ? "What the import would do" : "What the import did"}>
            <ImportResult result={run.data} />
          </Card>
        )}
        <ApiCall
          call={{
            method: "POST",
            path: "/contracts/bulk-import?dry_run=true",
            body: { csv: csv || example },
          }}
        />
      </div>
    </Page>
  );
}
