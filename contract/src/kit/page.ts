/** What a list may be asked for. `page` switches paging on: with it the answer is an envelope, without it a bare array. */
export interface ListQuery {
  /** 1-based. */
  page?: number
  page_size?: number
  /** Contained in the name. */
  name?: string
  /** Contained in the number (phone numbers). */
  filter?: string
  account_sid?: string
  service_provider_sid?: string
  /** Whose gateways. */
  voip_carrier_sid?: string
  /** Whose routes. */
  lcr_sid?: string
  /** Accounts. Ours, as is the next: '1' for those in use, '0' for those switched off. */
  is_active?: '0' | '1'
  plan_type?: string
  /** Users. Ours: 'admin', 'service_provider' or 'account'. */
  scope?: string
  /** A column, with a leading `-` for descending. Ours: a server that does not know it keeps its own order. */
  sort?: string
}

/** As `account_sid`: only the records that a provider shares with all its accounts. No account has this sid. */
export const sharedOnly = 'shared'

/** One page of a list with the number of all matching rows. */
export interface Page<Row> {
  total: number
  page: number
  page_size: number | null
  data: Row[]
}

export const pageSizes = [25, 50, 100] as const
export const defaultPageSize = 25
