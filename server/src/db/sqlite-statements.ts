import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import { toBindableValues } from './bind-values'
import type { SqliteFile } from './sqlite-driver'

/** Lists with many filters have many texts. A statement takes some kilobytes. */
const maxStatements = 250

/** Returns a database that keeps its prepared statements: preparing one takes longer than running it. */
export const keepStatements = (database: SqliteFile): SqliteDatabase => {
  const statements = new LRUCache<string, SqliteStatement>({ max: maxStatements })

  const prepare = (text: string): SqliteStatement => {
    const statement = database.prepare<unknown[]>(text)
    return {
      reader: statement.reader,
      all: (parameters) => statement.all(toBindableValues(parameters)),
      run: (parameters) => statement.run(toBindableValues(parameters)),
      iterate: () => {
        throw new Error('A statement that is read row by row cannot be kept')
      },
    }
  }

  return {
    prepare(text) {
      const existing = statements.get(text)
      if (existing) return existing
      const statement = prepare(text)
      statements.set(text, statement)
      return statement
    },
    close: () => void database.close(),
  }
}
