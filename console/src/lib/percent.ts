/** Formats a share of 0 to 1: '80.3%', and '100%' without a decimal. */
export const formatPercent = (share: number): string => (share === 1 ? '100%' : `${(share * 100).toFixed(1)}%`)
