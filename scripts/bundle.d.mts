export function ensureBundle(root: string, onBuild?: () => void): Promise<string>;
export function writeBundle(root: string, folder: string, entries: string[]): Promise<void>;
