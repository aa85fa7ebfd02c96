import { OperationNodeTransformer } from 'kysely'
import type { KyselyPlugin, PrimitiveValueListNode, ValueNode } from 'kysely'
import { UnstorableValueError } from './errors'
import { toColumnTime } from './time'

/**
 * Converts a value to one that both drivers can bind. SQLite's driver throws on a boolean. MySQL's driver would expand a plain
 * object into `key` = value pairs, so objects that passed validation by mistake are refused here.
 */
export const toBindable = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return toColumnTime(value)
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    throw new UnstorableValueError('Only text, numbers, dates and bytes can be stored in a column')
  }
  return value
}

class BindTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    // Immediate values become part of the SQL text, where both engines accept true and false.
    return node.immediate ? node : { ...node, value: toBindable(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(toBindable) }
  }
}

/** Kysely plugin: converts every bound value with `toBindable`. */
export const createBindValuesPlugin = (): KyselyPlugin => {
  const transformer = new BindTransformer()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
