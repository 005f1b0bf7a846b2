module Good where

first :: Int -> Int
first x = x + 1

broken :: Int -> Int
broken x = let y = (x + in y where

last :: Int -> Int
last y = first y

data Kind = One | Two
