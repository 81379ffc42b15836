-- On Solana, a holder may have token accounts beside the associated one. Those of the tokens whose transfers are measured are followed.
alter table contracts add column token_accounts jsonb;
