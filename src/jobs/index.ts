import type { Job } from "./job.ts";
import { purgeExpired } from "./purge-expired.ts";
import { sendMail } from "./send-mail.ts";

/** Every job. */
export const jobs: Job[] = [sendMail, purgeExpired];
