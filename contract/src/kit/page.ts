/** The query of a list. With `page`, the response is an envelope with one page; without it, a bare array. */
export interface ListQuery {
  /** 1-based. */
  page?: number
  page_size?: number
  /** A part of the name. */
  name?: string
  /** A part of the number (phone numbers only). */
  filter?: string
  account_sid?: string
  service_provider_sid?: string
  /** The carrier that the gateways belong to. Also filters phone numbers, which is a Trunkline addition. */
  voip_carrier_sid?: string
  /** Phone numbers only. A Trunkline addition: the application that answers their calls. */
  application_sid?: string
  /** The LCR that the routes belong to. */
  lcr_sid?: string
  /** Accounts only. Like `plan_type`, a Trunkline addition. '1': active accounts, '0': inactive accounts. */
  is_active?: '0' | '1'
  plan_type?: string
  /** Accounts of the hosted edition only. A Trunkline addition: the state of the plan. */
  plan?: string
  /** Speech credentials only. A Trunkline addition: 'failed' lists those whose last test failed. */
  test?: string
  /** Users only. A Trunkline addition: 'admin', 'service_provider' or 'account'. */
  scope?: string
  /**
   * A column name, with a leading `-` for descending. A Trunkline addition: v1 servers ignore it and use their own
   * order.
   */
  sort?: string
}

/** As `account_sid`: lists only the records that a provider shares with all its accounts. No account has this SID. */
export const sharedRecordsSid = 'shared'

/** One page of a list. `total` counts all matching rows. */
export interface Page<Row> {
  total: number
  page: number
  page_size: number | null
  data: Row[]
}

export const pageSizes = [25, 50, 100] as const
export const defaultPageSize = 25
