import type { Account } from '@trunkline/contract/shapes/account'

/**
 * Asks what keeps an account from being deleted. No server asks this itself: it would delete all of it along with the
 * account. How to ask comes with the first deletion: the list of accounts is most people's first page.
 */
export const usesOfAccount = async (row: Account) => (await import('./ask-uses')).usesOf(row)
