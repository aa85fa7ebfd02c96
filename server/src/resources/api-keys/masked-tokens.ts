import type { Actor } from '@trunkline/contract/policy/actor'

/**
 * Masks the tokens of API keys for users who may not change data, because they could do so with a token. The last
 * characters distinguish the keys.
 */
export const maskTokens = <Key extends { token: string }>(
  keys: Key[],
  { viewOnly, mustChangePassword }: Actor,
): Key[] =>
  viewOnly || mustChangePassword
    ? keys.map((key) => ({ ...key, token: key.token.replace(/[^-](?=.{4})/g, 'X') }))
    : keys
