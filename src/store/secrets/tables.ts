// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

export interface SecretKeyHolder {
  active_key_id: Buffer;
  process_id: string;
  seen_at: Date;
}

export interface SecretKey {
  created_at: Date;
  key_id: Buffer;
  sealed_check: Buffer;
  sealed_peer: Buffer | null;
  state: "active" | "retiring";
}

export interface SecretsTables {
  secret_key_holders: SecretKeyHolder;
  secret_keys: SecretKey;
}
