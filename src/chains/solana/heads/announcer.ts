/** Announces transactions of watched addresses, so that they are not only found by the next poll. */
export type Announcer = {
  watch(addresses: ReadonlySet<string>): void;
  /** True if transactions of the address are announced, as far as is known. */
  covers(address: string): boolean;
};

export type AnnouncerOptions = {
  /** Ends the announcer. */
  signal: AbortSignal;
  /**
   * Called when a transaction touched a watched address; undefined if any may have been touched. It only triggers a poll: the
   * announcement itself is not trusted.
   */
  onActivity(address: string | undefined): void;
};

export type OpenAnnouncer = (options: AnnouncerOptions) => Announcer;
