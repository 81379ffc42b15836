-- A balance or a transfer of native currency is in the currency of its chain. Chains that are not listed have ETH.
update targets t
set unit = case
  when t.target_type = 'large_transfer' and not coalesce((t.config ->> 'native')::boolean, false) then 'tokens'
  else coalesce(
    (select symbol from (values
      ('polygon', 'POL'), ('bsc', 'BNB'), ('avalanche', 'AVAX'), ('gnosis', 'XDAI'), ('mantle', 'MNT'), ('celo', 'CELO'),
      ('sonic', 'S'), ('moonbeam', 'GLMR'), ('metis', 'METIS'), ('berachain', 'BERA'), ('fraxtal', 'FRAX'), ('monad', 'MON'),
      ('plasma', 'XPL'), ('sei', 'SEI'), ('ronin', 'RON'), ('solana', 'SOL'), ('polygon_amoy', 'POL'), ('solana_devnet', 'SOL'))
      as symbols (chain, symbol) where symbols.chain = c.chain), 'ETH')
  end
from contracts c
where c.id = t.contract_id and t.target_type in ('native_balance', 'large_transfer');
