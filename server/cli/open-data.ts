import { type OpenedDatabase, openDatabase } from "../../db/open-database.ts";
import type { Settings } from "../env.ts";

/**
 * Opens the database that the settings name, or the one in the data folder.
 *
 * @throws DatabaseError
 */
export function openData(
  { databaseUrl, dataDir }: Settings,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<OpenedDatabase> {
  return openDatabase({
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    dataDir,
    say,
    ...(signal === undefined ? {} : { signal }),
  });
}
