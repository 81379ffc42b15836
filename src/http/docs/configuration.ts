import { code, type DocPage, heading, list, paragraph } from "./page.ts";

/** Configuration as code, by command line and by HTTP. */
export function configurationPage(base: string): DocPage {
  return {
    path: "/docs/configuration",
    title: "Configuration as code",
    about:
      "The contracts, rules, channels and policies of an organisation fit into one document that is versioned, reviewed and applied like code.",
    blocks: [
      list([
        "`GET /config` exports it as JSON, `tocsin export` as YAML.",
        "`POST /config/apply?dry_run=true` returns the plan: what would be created, updated and deleted, with old and new values.",
        "`POST /config/apply` applies it in one transaction. Apply is idempotent. The body is JSON, or YAML as `application/yaml`.",
      ]),
      paragraph(
        'Secrets are references such as `{"$secret": "CHANNEL_ON_CALL_WEBHOOK_URL"}`; their values are in `secrets`. Without a value the stored ' +
          "secret is kept. Items that the document does not contain are kept, unless `prune` is true.",
      ),
      heading("By HTTP"),
      code(`curl --fail-with-body "${base}/api/v1/config/apply?dry_run=true" \\
  -H "Authorization: Bearer $TOCSIN_API_KEY" \\
  -H "Content-Type: application/yaml" --data-binary @tocsin.yaml`),
      heading("In a GitHub workflow"),
      paragraph("A pull request shows its plan, and a push to `main` applies it:"),
      code(workflow(base)),
    ],
  };
}

function workflow(base: string): string {
  return `on: { pull_request: {}, push: { branches: [main] } }
jobs:
  tocsin:
    runs-on: ubuntu-latest
    env:
      DRY_RUN: \${{ github.event_name == 'pull_request' }}
      TOCSIN_API_KEY: \${{ secrets.TOCSIN_API_KEY }}
    steps:
      - uses: actions/checkout@v4
      - run: >
          curl --fail-with-body "${base}/api/v1/config/apply?dry_run=$DRY_RUN"
          -H "Authorization: Bearer $TOCSIN_API_KEY"
          -H "Content-Type: application/yaml" --data-binary @tocsin.yaml`;
}
