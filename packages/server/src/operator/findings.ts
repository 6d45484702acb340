// What `commonhall doctor` found: one line for each thing that it has looked at.
export interface Finding {
  /** What was looked at, in a few words. */
  about: string;
  /** What is so. */
  found: string;
  /** What to do; null: nothing. */
  remedy: string | null;
}

export const fine = (about: string, found: string): Finding => ({ about, found, remedy: null });
export const wrong = (about: string, found: string, remedy: string): Finding => ({ about, found, remedy });
export const either = (isFine: boolean, about: string, found: string, remedy: string): Finding =>
  isFine ? fine(about, found) : wrong(about, found, remedy);

/** A look that fails is a finding itself, and does not stop the others. */
export const looked = async (about: string, look: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await look();
  } catch (error) {
    return [wrong(about, (error as Error).message, 'the rest of this could not be looked at')];
  }
};

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;
