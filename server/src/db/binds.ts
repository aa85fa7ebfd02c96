import { OperationNodeTransformer } from 'kysely'
import type { KyselyPlugin, PrimitiveValueListNode, ValueNode } from 'kysely'
import { UnstorableValue } from './errors'
import { columnTime } from './time'

/**
 * Makes one value fit for both drivers. SQLite's throws at a boolean, and MySQL's would spread a plain object into
 * the statement as `key` = value, so an object that slipped through validation stops here.
 */
export const bindable = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return columnTime(value)
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    throw new UnstorableValue('Only text, numbers, dates and bytes can be stored in a column')
  }
  return value
}

class Binder extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    // An immediate value is part of the statement's text, where both engines know true and false.
    return node.immediate ? node : { ...node, value: bindable(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(bindable) }
  }
}

/** Kysely plugin: every bound value passes through `bindable`. */
export const safeBinds = (): KyselyPlugin => {
  const binder = new Binder()
  return {
    transformQuery: ({ node, queryId }) => binder.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
